kind sites-3
media text/html
<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
<html lang="ja">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<meta http-equiv="Content-Style-Type" content="text/css">
<title>ご利用案内｜汐見町立 灯台と船の資料館</title>
<link rel="stylesheet" href="../css/style.css?{v}" type="text/css">
<script type="text/javascript" src="../js/rollover.js?{v}"></script>
</head>
<body bgcolor="#FFFFFF" text="#333333" link="#0033CC" onload="MM_preloadImages('../img/b1_on.gif')">
<a name="top"></a>
<table width="800" border="0" align="center" cellpadding="0" cellspacing="0">
<tr><td colspan="2"><img src="../img/title.jpg" width="800" height="120" alt="汐見町立 灯台と船の資料館"></td></tr>
<tr><td colspan="2" bgcolor="#003366" align="center"><font color="#FFFFFF" size="2"><a href="../index.html">ホーム</a>｜<a href="index.html">ご利用案内</a>｜<a href="../tenji/">展示案内</a>｜<a href="../event/">催し物</a>｜<a href="../access/">交通アクセス</a>｜<a href="../link.html">リンク集</a></font></td></tr>
<tr><td colspan="2" align="right"><font size="1">{clock}</font></td></tr>
<tr>
<td width="180" valign="top" bgcolor="#EEF3FA">
<table width="170" border="0" cellpadding="4" cellspacing="0">
<tr><td><b>今日の汐見町</b><br><font size="2">{tenki}</font></td></tr>
<tr><td><b>館長のひとこと</b><br><font size="2">{hitokoto}</font></td></tr>
<tr><td><b>つぶやき</b><br><font size="2">{tweet}</font></td></tr>
<tr><td align="center">{banner}</td></tr>
<tr><td align="center"><font size="1">あなたは<br><img src="/cgi-bin/count.cgi?id={sid}" alt="">{count}人目の<br>お客様です</font></td></tr>
</table>
</td>
<td width="620" valign="top">
<table width="600" border="0" align="center" cellpadding="6" cellspacing="0">
<tr><td><h2><img src="../img/h_riyou.gif" alt="ご利用案内" width="600" height="36"></h2></td></tr>
<tr><td>{oshirase}</td></tr>
<tr><td>
<table width="100%" border="1" cellpadding="5" cellspacing="0" bordercolor="#99AACC">
<tr><th bgcolor="#DDE6F3" width="130">開館時間</th><td>{jikan}</td></tr>
<tr><th bgcolor="#DDE6F3">休館日</th><td>{kyukan}</td></tr>
<tr><th bgcolor="#DDE6F3">観覧料</th><td>
<table width="100%" border="0" cellpadding="2"><tr><td>一般</td><td>{ippan}</td><td>団体（20名以上）</td><td>{dantai}</td></tr><tr><td>高校・大学生</td><td>{gakusei}</td><td>団体</td><td>160円</td></tr><tr><td>中学生以下</td><td>{chugaku}</td><td></td><td></td></tr></table></td></tr>
<tr><th bgcolor="#DDE6F3">企画展</th><td>{kikaku}</td></tr>
<tr><th bgcolor="#DDE6F3">灯台の内部見学</th><td>{toudai}</td></tr>
<tr><th bgcolor="#DDE6F3">駐車場</th><td>{parking}</td></tr>
<tr><th bgcolor="#DDE6F3">その他</th><td>・館内での写真撮影は{photo}。<br>・ペットを連れてのご入館はご遠慮ください。<br>・車いす、ベビーカーの貸出をいたします（無料）。<br>・館内は禁煙です。</td></tr>
</table>
</td></tr>
<tr><td>{osusume}</td></tr>
<tr><td align="right"><a href="#top"><font size="2">▲ページの先頭へ</font></a></td></tr>
</table>
</td></tr>
<tr><td colspan="2" bgcolor="#003366" align="center"><font color="#FFFFFF" size="1">汐見町立 灯台と船の資料館　〒000-0012 汐見町岬1-5　TEL 0000-22-1881　<a href="mailto:info@shiomi-todai.example">メール</a><br>{copy}</font></td></tr>
</table>
</body>
</html>
-- looks --
first v="20240110" clock="2026年1月20日（火）　先負" sid="a01" tenki="晴れのちくもり　8℃／2℃<br>満潮 6:12　干潮 11:48" hitokoto="冬の海は空気が澄んで、遠くの島まで見えます。" tweet="売店に新しい絵はがきが入りました（3時間前）" banner="<a href='http://onsen.example'><img src='../img/bn_onsen.gif' alt='汐見温泉' border='0'></a>" count="218,402" oshirase="" jikan="午前9時～午後4時30分（入館は午後4時まで）" kyukan="毎週月曜日（祝日の場合は翌日）、年末年始（12月29日～1月3日）" ippan="400円" dantai="320円" gakusei="200円" chugaku="無料" kikaku="「北前船と汐見の商人」<br>令和8年1月10日（土）～3月15日（日）" toudai="土・日曜日の午前10時～午後3時" parking="普通車30台（無料）、大型バス3台" photo="できません" osusume="<font size='2'>★こちらもおすすめ★ <a href='http://ichiba.example'>汐見朝市（毎週日曜）</a></font>" copy="Copyright (C) 2008-2025 Shiomi Town. All Rights Reserved."
noise clock="2026年1月23日（金）　大安" tenki="くもり時々雪　3℃／-1℃<br>満潮 8:25　干潮 14:02" tweet="雪の灯台、きれいです（1時間前）" count="218,517"
noise clock="2026年1月29日（木）　大安" tenki="晴れ　6℃／0℃<br>満潮 2:40　干潮 9:15" hitokoto="風邪などひかれませんよう、ご自愛ください。" count="218,760" banner="<a href='http://kani.example'><img src='../img/bn_kani.gif' alt='かにまつり 2/8' border='0'></a>"
wanted clock="2026年2月3日（火）　赤口" tenki="くもり　5℃／1℃<br>満潮 5:58　干潮 11:30" oshirase="<font color='#CC0000'><b>【お知らせ】</b>2月16日（月）～20日（金）は館内燻蒸のため臨時休館いたします。</font>" count="218,951"
equal v="20260204" sid="b77" ippan="<span>400円</span>" kikaku="「北前船と汐見の商人」<br />令和8年1月10日（土）～3月15日（日）"
wanted clock="2026年2月10日（火）　先勝" tenki="雪　1℃／-2℃<br>満潮 10:05　干潮 16:20" kikaku="「北前船と汐見の商人」<br>令和8年1月10日（土）～3月29日（日）<font color='#CC0000'>会期延長</font>" count="219,204" tweet="節分の豆まき、ありがとうございました（2日前）"
noise clock="2026年2月17日（火）　先勝" tenki="雨　10℃／5℃<br>満潮 5:20　干潮 10:58" hitokoto="梅のつぼみがふくらんできました。" tweet="燻蒸作業中です。ご迷惑をおかけします（5時間前）" count="219,388" osusume="<font size='2'>★こちらもおすすめ★ <a href='http://ume.example'>汐見梅まつり</a></font>"
wanted clock="2026年3月1日（日）　赤口" tenki="晴れ　12℃／4℃<br>満潮 4:05　干潮 9:50" oshirase="" jikan="午前9時～午後5時（入館は午後4時30分まで）" count="219,912" copy="Copyright (C) 2008-2026 Shiomi Town. All Rights Reserved."
noise clock="2026年3月6日（金）　先負" tenki="くもりのち雨　11℃／6℃<br>満潮 7:22　干潮 13:05" tweet="アンケートにご協力ください！抽選で缶バッジ（30分前）" count="220,045" banner="<a href='http://onsen.example'><img src='../img/bn_onsen2.gif' alt='汐見温泉 春のプラン' border='0'></a>"
wanted clock="2026年3月14日（土）　先勝" tenki="晴れ　14℃／5℃<br>満潮 2:33　干潮 8:40" photo="できます（企画展示室を除く）" count="220,371"
noise clock="2026年3月20日（金）　大安" tenki="晴れ　16℃／7℃<br>満潮 6:40　干潮 12:30" hitokoto="桜の便りが待ち遠しいですね。" tweet="つばめが今年も帰ってきました（4時間前）" count="220,618" osusume="<font size='2'>★おすすめスポット★ <a href='http://sakura.example'>城山公園の桜</a></font>"
wanted clock="2026年4月1日（水）　友引" tenki="くもり　15℃／9℃<br>満潮 5:11　干潮 11:02" ippan="500円" dantai="400円" count="221,140"
wanted clock="2026年4月4日（土）　大安" tenki="雨　13℃／10℃<br>満潮 7:01　干潮 12:58" toudai="<font color='#CC0000'>改修工事のため当面の間休止</font>" count="221,266" tweet="雨の日は館内でゆっくりどうぞ（2時間前）"
