kind sites
media text/html
<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
<HTML>
<HEAD>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=utf-8">
<META NAME="GENERATOR" CONTENT="{gen}">
<TITLE>Solway Boat Exchange - Used sailing boats under 30 ft</TITLE>
</HEAD>
<BODY BGCOLOR="{bg}" TEXT="#000000" LINK="#000099" VLINK="#660066" TOPMARGIN=0 LEFTMARGIN=0>
<TABLE WIDTH=780 BORDER=0 CELLPADDING=4 CELLSPACING=0 ALIGN=center>
<TR><TD COLSPAN=3 BGCOLOR="#003366"><FONT FACE="Arial,Helvetica" SIZE=5 COLOR=white><B>Solway Boat Exchange</B></FONT><BR><FONT FACE="Arial" SIZE=1 COLOR=white>Used boats by post and telephone since 1983 &nbsp; | &nbsp; {today}</FONT></TD></TR>
<TR><TD COLSPAN=3 BGCOLOR="#CCCCCC" ALIGN=center><FONT FACE="Arial" SIZE=2><A HREF="index.php?sid={sid}">Home</A> | <A HREF="sail.php?sid={sid}">Sail under 30 ft</A> | <A HREF="sail30.php?sid={sid}">Sail over 30 ft</A> | <A HREF="motor.php?sid={sid}">Motor boats</A> | <A HREF="dinghies.php?sid={sid}">Dinghies</A> | <A HREF="engines.php?sid={sid}">Engines</A> | <A HREF="moorings.php?sid={sid}">Moorings</A> | <A HREF="wanted.php?sid={sid}">Wanted</A> | <A HREF="guestbook.php?sid={sid}">Guest book{gb}</A> | <A HREF="contact.php?sid={sid}">Contact</A></FONT></TD></TR>
<TR><TD COLSPAN=3 ALIGN=center>{banner}</TD></TR>
<TR VALIGN=top><TD WIDTH=130 BGCOLOR="#EEEEEE"><FONT FACE="Arial" SIZE=2><B>Tides, Kippford</B><BR>{tides}<BR><BR><B>Wind</B><BR>{wind}<BR><BR><B>Links</B><BR><A HREF="http://www.rnli.example/">Lifeboats</A><BR><A HREF="http://www.solwayyc.example/">Yacht club</A><BR>{link}<BR><B>Poll</B><BR>Blue or red antifoul?<BR>{poll}</FONT></TD>
<TD WIDTH=520><FONT FACE="Arial" SIZE=1><A HREF="index.php?sid={sid}">Home</A> &gt; <A HREF="sail.php?sid={sid}">Sail</A> &gt; Under 30 ft</FONT>
<H2><FONT FACE="Arial">Used sailing boats under 30 ft</FONT></H2>
<P><FONT FACE="Arial" SIZE=2>All boats can be seen at Kippford or Kirkcudbright by arrangement. {viewings} Our commission is paid by the seller. {sort}</FONT></P>
<TABLE BORDER=1 CELLPADDING=3 CELLSPACING=0 WIDTH="100%">
<TR BGCOLOR="#99CCFF"><TH><FONT FACE="Arial" SIZE=2>Ref</FONT></TH><TH><FONT FACE="Arial" SIZE=2>Boat</FONT></TH><TH><FONT FACE="Arial" SIZE=2>Year</FONT></TH><TH><FONT FACE="Arial" SIZE=2>Price</FONT></TH><TH><FONT FACE="Arial" SIZE=2>Viewed</FONT></TH></TR>
{newboat}
<TR BGCOLOR="{row}"><TD>S-211</TD><TD><A HREF="boat.php?ref=211&amp;sid={sid}"><B>Westerly Pageant 23</B></A><BR><FONT SIZE=2>Bilge keel, Yanmar 1GM, {pageant}</FONT></TD><TD>1976</TD><TD ALIGN=right>{price211}</TD><TD ALIGN=right>{v211}</TD></TR>
<TR><TD>S-214</TD><TD><A HREF="boat.php?ref=214&amp;sid={sid}"><B>Hurley 22</B></A><BR><FONT SIZE=2>Long fin keel, 6 hp outboard, trailer {trailer}</FONT></TD><TD>1971</TD><TD ALIGN=right>{price214}</TD><TD ALIGN=right>{v214}</TD></TR>
<TR BGCOLOR="{row}"><TD>S-219</TD><TD><A HREF="boat.php?ref=219&amp;sid={sid}"><B>Cornish Shrimper 19</B></A><BR><FONT SIZE=2>Gaff rig, inboard diesel, tan sails</FONT></TD><TD>1994</TD><TD ALIGN=right>{price219}</TD><TD ALIGN=right>{v219}</TD></TR>
{moody}
<TR><TD>S-226</TD><TD><A HREF="boat.php?ref=226&amp;sid={sid}"><B>Contessa 26</B></A><BR><FONT SIZE=2>New standing rigging 2022, {engine}</FONT></TD><TD>1979</TD><TD ALIGN=right>{price226}</TD><TD ALIGN=right>{v226}</TD></TR>
</TABLE>
<P><FONT FACE="Arial" SIZE=2><B>To view a boat</B> ring {phone} (Mon-Sat, ask for Isla) or write to us. Please have the reference at hand.</FONT></P>
<P><FONT FACE="Arial" SIZE=2><A HREF="mailto:?subject=Boats">Tell a friend</A> | <A HREF="print.php?sid={sid}">Printer friendly</A> | <A HREF="#top">Top of page</A></FONT></P>
</TD>
<TD WIDTH=130 BGCOLOR="#FFFFCC"><FONT FACE="Arial" SIZE=2><B>Chandlery specials</B><BR><BR>{ad1}<BR><BR>{ad2}<BR><BR><B>Now on the site</B><BR>{guests}<BR><BR><B>You looked at</B><BR>{recent}</FONT></TD></TR>
<TR><TD COLSPAN=3 BGCOLOR="#003366" ALIGN=center><FONT FACE="Arial" SIZE=1 COLOR=white>Copyright &copy; 1998-{year} Solway Boat Exchange. Find us on <A HREF="http://www.facebook.com/solwayboats">Facebook</A> and <A HREF="http://www.youtube.com/solwayboats">YouTube</A>. <A HREF="terms.php">Terms</A> <A HREF="privacy.php">Privacy</A><BR>You are visitor no. {visitor}. Page made in {gentime} seconds. {webmaster}</FONT></TD></TR>
</TABLE>
{cookie}
</BODY></HTML>
-- looks --
first gen="PHPBoats 2.1" bg="#FFFFFF" today="Tuesday 4 March" sid="a91" gb="" banner="<IMG SRC='ads/paint.gif' WIDTH=468 HEIGHT=60 ALT='Anchor Paints - brush it on'>" tides="HW 05:12 and 17:40" wind="SW 4" link="" poll="Blue 61 %, red 39 %" viewings="Viewings are free of charge." sort="" newboat="" row="#F4F4F4" pageant="three sails" price211="&pound;4,950" v211="412" trailer="included" price214="&pound;2,200" v214="187" price219="&pound;13,500" v219="960" moody="<TR><TD>S-222</TD><TD><B>Moody 27</B><BR><FONT SIZE=2>Fin keel, Bukh 20, wheel steering</FONT></TD><TD>1983</TD><TD ALIGN=right>&pound;11,000</TD><TD ALIGN=right>n/a</TD></TR>" engine="Beta 14, 310 hours" price226="&pound;9,750" v226="655" phone="01556 600 211" ad1="Mooring rope 14 mm, &pound;1.10/m" ad2="Flares, coastal pack, &pound;59" guests="4 guests" recent="<I>nothing yet</I>" year="2025" visitor="0481207" gentime="0.031" webmaster="Webmaster: Rab" cookie="<CENTER><FONT SIZE=2>This site uses cookies. <A HREF='ok.php'>[ OK, go away ]</A></FONT></CENTER>"
noise v211="415" v214="188" v219="966" v226="656" visitor="0481288" gentime="0.028" guests="7 guests" wind="SW 5"
noise today="Wednesday 5 March" tides="HW 05:49 and 18:20" wind="W 5" v211="421" v214="190" v219="981" v226="660" visitor="0481395" gentime="0.044" guests="3 guests" ad1="Fender, 8 x 24, &pound;22" ad2="Mooring rope 14 mm, &pound;1.10/m"
wanted price211="&pound;4,650" v211="424" v214="191" v219="985" v226="662" visitor="0481460" gentime="0.030" guests="5 guests"
equal sid="c07" gen="PHPBoats 2.1.1" row="#f4f4f4"
noise today="Thursday 6 March" tides="HW 06:31 and 19:08" wind="NW 3" v211="433" v214="195" v219="993" v226="668" visitor="0481602" gentime="0.029" guests="2 guests" banner="<IMG SRC='ads/sails.gif' WIDTH=468 HEIGHT=60 ALT='Galloway Sails - winter rates'>" cookie=""
wanted price219="<B>UNDER OFFER</B>" v211="437" v214="197" v219="1002" v226="671" visitor="0481699" gentime="0.033" guests="6 guests"
noise recent="S-219 Cornish Shrimper 19<BR>S-226 Contessa 26" v211="440" v214="198" v219="1010" v226="675" visitor="0481777" gentime="0.036" guests="8 guests" poll="Blue 60 %, red 40 %"
wanted trailer="not included" v211="441" v214="199" v219="1013" v226="677" visitor="0481812" gentime="0.030" guests="4 guests" today="Friday 7 March" tides="HW 07:22 and 20:11"
broken page="<html><body><b>Warning</b>: mysql_connect() [function.mysql-connect]: Too many connections in <b>/home/solway/public_html/inc/db.php</b> on line <b>14</b><br>Could not connect to the database.</body></html>"
back today="Saturday 8 March" tides="HW 08:31 and 21:30" wind="N 2" v211="452" v214="204" v219="1031" v226="684" visitor="0482060" gentime="0.027" guests="3 guests" ad1="Flares, coastal pack, &pound;55" ad2="Winch handle, floating, &pound;31"
wanted newboat="<TR><TD>S-231</TD><TD><B>Leisure 17</B><BR><FONT SIZE=2>Twin keel, 4 hp outboard, road trailer</FONT></TD><TD>1974</TD><TD ALIGN=right>&pound;1,450</TD><TD ALIGN=right>n/a</TD></TR>" v211="455" v214="206" v219="1036" v226="688" visitor="0482131" gentime="0.032" guests="9 guests"
noise gb=" (new!)" link="<A HREF='http://www.knots.example/'>Knots</A><BR>" v211="459" v214="207" v219="1041" v226="690" visitor="0482205" gentime="0.030" guests="5 guests" webmaster="Webmaster: Rab and Isla"
wanted moody="" v211="461" v214="209" v219="1044" v226="693" visitor="0482290" gentime="0.034" guests="4 guests" wind="NE 3"
wanted price219="<B>SOLD</B>" v211="466" v214="210" v219="1061" v226="699" visitor="0482401" gentime="0.029" guests="6 guests" today="Monday 10 March" tides="HW 10:48 and 23:20"
wanted engine="Beta 14, 610 hours" v211="468" v214="212" v219="1063" v226="703" visitor="0482466" gentime="0.031" guests="3 guests"
