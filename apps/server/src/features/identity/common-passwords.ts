/**
 * Passwords that attackers try first, in lower case. A short list suffices, since the length rule and the rate limit
 * stop the rest.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  123456 123456789 12345678 1234567 1234567890 12345 1234 111111 123123 000000 00000000 11111111 88888888 12341234
  123321 654321 666666 121212 112233 123654 987654321 87654321 147258369 159753 123qwe 1q2w3e 1q2w3e4r 1q2w3e4r5t
  1qaz2wsx qazwsx qazwsxedc zaq12wsx qwerty qwerty1 qwerty12 qwerty123 qwertyui qwertyuiop qwert asdf asdfgh
  asdfghjkl asdf1234 zxcvbn zxcvbnm abc123 abcd1234 abcdef abcdefgh a1b2c3d4 aa123456 a123456 password password1
  password12 password123 password1234 passw0rd p@ssw0rd p@ssword pass1234 passwort passwort1 passord motdepasse
  contraseña admin admin1 admin12 admin123 admin1234 administrator root toor guest test test123 test1234 testtest
  demo demo1234 user user1234 login welcome welcome1 welcome123 letmein letmein1 changeme changeme1 change_me
  secret secret123 default default1 master master123 access trustno1 iloveyou iloveyou1 sunshine princess football
  football1 baseball basketball superman batman pokemon starwars dragon monkey shadow michael jordan jennifer
  charlie daniel thomas ashley jessica computer internet whatever hello hello123 hunter hunter2 freedom ninja
  mustang corvette ferrari porsche liverpool chelsea arsenal barcelona summer summer1 winter spring autumn monday
  friday flower cheese cookie chocolate banana orange purple yellow silver diamond killer maverick phoenix soccer
  hockey cowboys yankees steelers lakers tigger buster pepper ginger bailey jasmine matrix samsung google facebook
  linkedin qwerty1234 zaq1zaq1 1234qwer q1w2e3r4 q1w2e3r4t5 11223344 12121212 13131313 77777777 99999999 55555555
  1234abcd abc12345 abcabc osprey osprey1 osprey12 osprey123 osprey1234 ospreyadmin drone drone123 airforce
  military security classified topsecret secret1 letmein123 passpass passwordpassword iloveyou123 superuser
  sysadmin manager service support temp temp1234 temporary 1111111111
  `
    .trim()
    .split(/\s+/),
);
