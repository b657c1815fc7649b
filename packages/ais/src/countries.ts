/**
 * Countries, each with its ISO 3166-1 code, name and maritime identification digits (ITU Radio Regulations, Appendix
 * 43).
 */
const TABLE = `
AL Albania 201
AD Andorra 202
AT Austria 203
PT Portugal 204 255 263
BE Belgium 205
BY Belarus 206
BG Bulgaria 207
VA Vatican City 208
CY Cyprus 209 210 212
DE Germany 211 218
GE Georgia 213
MD Moldova 214
MT Malta 215 229 248 249 256
AM Armenia 216
DK Denmark 219 220
ES Spain 224 225
FR France 226 227 228
FI Finland 230
FO Faroe Islands 231
GB United Kingdom 232 233 234 235
GI Gibraltar 236
GR Greece 237 239 240 241
HR Croatia 238
MA Morocco 242
HU Hungary 243
NL Netherlands 244 245 246
IT Italy 247
IE Ireland 250
IS Iceland 251
LI Liechtenstein 252
LU Luxembourg 253
MC Monaco 254
NO Norway 257 258 259
PL Poland 261
ME Montenegro 262
RO Romania 264
SE Sweden 265 266
SK Slovakia 267
SM San Marino 268
CH Switzerland 269
CZ Czechia 270
TR Türkiye 271
UA Ukraine 272
RU Russia 273
MK North Macedonia 274
LV Latvia 275
EE Estonia 276
LT Lithuania 277
SI Slovenia 278
RS Serbia 279
AI Anguilla 301
US United States 303 338 366 367 368 369
AG Antigua and Barbuda 304 305
CW Curaçao 306
AW Aruba 307
BS Bahamas 308 309 311
BM Bermuda 310
BZ Belize 312
BB Barbados 314
CA Canada 316
KY Cayman Islands 319
CR Costa Rica 321
CU Cuba 323
DM Dominica 325
DO Dominican Republic 327
GP Guadeloupe 329
GD Grenada 330
GL Greenland 331
GT Guatemala 332
HN Honduras 334
HT Haiti 336
JM Jamaica 339
KN Saint Kitts and Nevis 341
LC Saint Lucia 343
MX Mexico 345
MQ Martinique 347
MS Montserrat 348
NI Nicaragua 350
PA Panama 351 352 353 354 355 356 357 370 371 372 373 374
PR Puerto Rico 358
SV El Salvador 359
PM Saint Pierre and Miquelon 361
TT Trinidad and Tobago 362
TC Turks and Caicos Islands 364
VC Saint Vincent and the Grenadines 375 376 377
VG British Virgin Islands 378
VI United States Virgin Islands 379
AF Afghanistan 401
SA Saudi Arabia 403
BD Bangladesh 405
BH Bahrain 408
BT Bhutan 410
CN China 412 413 414
TW Taiwan 416
LK Sri Lanka 417
IN India 419
IR Iran 422
AZ Azerbaijan 423
IQ Iraq 425
IL Israel 428
JP Japan 431 432
TM Turkmenistan 434
KZ Kazakhstan 436
UZ Uzbekistan 437
JO Jordan 438
KR South Korea 440 441
PS Palestine 443
KP North Korea 445
KW Kuwait 447
LB Lebanon 450
KG Kyrgyzstan 451
MO Macao 453
MV Maldives 455
MN Mongolia 457
NP Nepal 459
OM Oman 461
PK Pakistan 463
QA Qatar 466
SY Syria 468
AE United Arab Emirates 470 471
TJ Tajikistan 472
YE Yemen 473 475
HK Hong Kong 477
BA Bosnia and Herzegovina 478
TF French Southern Territories 501 607 618 635
AU Australia 503
MM Myanmar 506
BN Brunei 508
FM Micronesia 510
PW Palau 511
NZ New Zealand 512
KH Cambodia 514 515
CX Christmas Island 516
CK Cook Islands 518
FJ Fiji 520
CC Cocos Islands 523
ID Indonesia 525
KI Kiribati 529
LA Laos 531
MY Malaysia 533
MP Northern Mariana Islands 536
MH Marshall Islands 538
NC New Caledonia 540
NU Niue 542
NR Nauru 544
PF French Polynesia 546
PH Philippines 548
TL Timor-Leste 550
PG Papua New Guinea 553
PN Pitcairn Islands 555
SB Solomon Islands 557
AS American Samoa 559
WS Samoa 561
SG Singapore 563 564 565 566
TH Thailand 567
TO Tonga 570
TV Tuvalu 572
VN Viet Nam 574
VU Vanuatu 576 577
WF Wallis and Futuna 578
ZA South Africa 601
AO Angola 603
DZ Algeria 605
SH Saint Helena 608 665
BI Burundi 609
BJ Benin 610
BW Botswana 611
CF Central African Republic 612
CM Cameroon 613
CG Congo 615
KM Comoros 616 620
CV Cabo Verde 617
CI Côte d'Ivoire 619
DJ Djibouti 621
EG Egypt 622
ET Ethiopia 624
ER Eritrea 625
GA Gabon 626
GH Ghana 627
GM Gambia 629
GW Guinea-Bissau 630
GQ Equatorial Guinea 631
GN Guinea 632
BF Burkina Faso 633
KE Kenya 634
LR Liberia 636 637
SS South Sudan 638
LY Libya 642
LS Lesotho 644
MU Mauritius 645
MG Madagascar 647
ML Mali 649
MZ Mozambique 650
MR Mauritania 654
MW Malawi 655
NE Niger 656
NG Nigeria 657
NA Namibia 659
RE Réunion 660
RW Rwanda 661
SD Sudan 662
SN Senegal 663
SC Seychelles 664
SO Somalia 666
SL Sierra Leone 667
ST São Tomé and Príncipe 668
SZ Eswatini 669
TD Chad 670
TG Togo 671
TN Tunisia 672
TZ Tanzania 674 677
UG Uganda 675
CD DR Congo 676
ZM Zambia 678
ZW Zimbabwe 679
AR Argentina 701
BR Brazil 710
BO Bolivia 720
CL Chile 725
CO Colombia 730
EC Ecuador 735
FK Falkland Islands 740
GF French Guiana 745
GY Guyana 750
PY Paraguay 755
PE Peru 760
SR Suriname 765
UY Uruguay 770
VE Venezuela 775
`;

export const COUNTRY_OF_MID: ReadonlyMap<number, { code: string; name: string }> = new Map(
  TABLE.trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.split(' ');
      const first = words.findIndex((word) => /^\d/.test(word));
      const country = { code: words[0]!, name: words.slice(1, first).join(' ') };
      return words.slice(first).map((mid) => [Number(mid), country] as const);
    }),
);
