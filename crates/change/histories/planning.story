kind sites
media text/html
<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<HTML><HEAD><TITLE>Town of Barrow Creek - Planning Board</TITLE><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=utf-8"><META NAME="GENERATOR" CONTENT="Microsoft FrontPage 4.0"></HEAD>
<BODY BGCOLOR="#FFFFFF" TEXT="#000000" LINK="#000099" TOPMARGIN="0" LEFTMARGIN="0">
<!-- served {sid} -->
<TABLE WIDTH="760" BORDER="0" CELLSPACING="0" CELLPADDING="0" ALIGN="CENTER">
<TR><TD COLSPAN="3" BGCOLOR="#003366"><TABLE WIDTH="100%"><TR><TD><IMG SRC="images/seal.gif" WIDTH="80" HEIGHT="80" ALT="Town seal"></TD><TD><FONT FACE="Arial" SIZE="5" COLOR="#FFFFFF"><B>Town of Barrow Creek</B></FONT><BR><FONT FACE="Arial" SIZE="2" COLOR="#FFFFCC">A good place to stop</FONT></TD><TD ALIGN="RIGHT"><FONT FACE="Arial" SIZE="1" COLOR="#FFFFFF">{today}<BR>{temp}</FONT></TD></TR></TABLE></TD></TR>
<TR><TD COLSPAN="3" BGCOLOR="#CCCC99" ALIGN="CENTER"><FONT FACE="Arial" SIZE="1"><A HREF="index.asp?s={sid}">Home</A> | <A HREF="board.asp?s={sid}">Select Board</A> | <A HREF="clerk.asp?s={sid}">Town Clerk</A> | <A HREF="assessor.asp?s={sid}">Assessor</A> | <A HREF="planning.asp?s={sid}">Planning Board</A> | <A HREF="dpw.asp?s={sid}">Public Works</A> | <A HREF="fire.asp?s={sid}">Fire</A> | <A HREF="library.asp?s={sid}">Library</A> | <A HREF="schools.asp?s={sid}">Schools</A> | <A HREF="contact.asp?s={sid}">Contact</A></FONT></TD></TR>
<TR><TD COLSPAN="3"><MARQUEE SCROLLAMOUNT="3"><FONT FACE="Arial" SIZE="2" COLOR="#990000">{ticker}</FONT></MARQUEE></TD></TR>
<TR VALIGN="TOP">
<TD WIDTH="150" BGCOLOR="#EEEEDD"><FONT FACE="Arial" SIZE="2"><B>Departments</B><BR><A HREF="bldg.asp?s={sid}">Building permits</A><BR><A HREF="conservation.asp?s={sid}">Conservation</A><BR><A HREF="zba.asp?s={sid}">Zoning appeals</A><BR><A HREF="health.asp?s={sid}">Board of Health</A><BR><A HREF="tax.asp?s={sid}">Pay your tax bill</A><BR><A HREF="dump.asp?s={sid}">Transfer station</A><BR><A HREF="bylaws.asp?s={sid}">Bylaws</A>{menunew}<BR><BR>
<B>Photo of the month</B><BR><IMG SRC="images/{photo}" WIDTH="130" HEIGHT="98" ALT=""><BR><FONT SIZE="1">{photocap}</FONT><BR><BR>
<B>Quick poll</B><BR><FONT SIZE="1">Dogs on the town beach?<BR>{poll}</FONT></FONT></TD>
<TD WIDTH="460"><TABLE CELLPADDING="8" WIDTH="100%"><TR><TD><FONT FACE="Arial" SIZE="1"><A HREF="index.asp?s={sid}">Home</A> &gt; <A HREF="boards.asp?s={sid}">Boards</A> &gt; Planning Board</FONT><BR>
<FONT FACE="Arial" SIZE="4" COLOR="#003366"><B>Planning Board</B></FONT><BR>
<FONT FACE="Arial" SIZE="2">The Planning Board reviews subdivisions, site plans and special permits. Meetings are open to the public{remote}.</FONT>
<P><FONT FACE="Arial" SIZE="3"><B>Next meeting</B></FONT><BR>
<FONT FACE="Arial" SIZE="2"><B>{mdate}, {mtime}</B><BR>{mroom}, Town Hall, 12 Main Street<BR><A HREF="docs/{agendafile}">{agenda}</A></FONT></P>
<P><FONT FACE="Arial" SIZE="3"><B>Applications</B></FONT></P>
<TABLE BORDER="1" CELLPADDING="3" CELLSPACING="0" WIDTH="100%"><TR BGCOLOR="#003366"><TD><FONT FACE="Arial" SIZE="1" COLOR="#FFFFFF"><B>No.</B></FONT></TD><TD><FONT FACE="Arial" SIZE="1" COLOR="#FFFFFF"><B>Applicant and place</B></FONT></TD><TD><FONT FACE="Arial" SIZE="1" COLOR="#FFFFFF"><B>Proposal</B></FONT></TD><TD><FONT FACE="Arial" SIZE="1" COLOR="#FFFFFF"><B>Comments by</B></FONT></TD><TD><FONT FACE="Arial" SIZE="1" COLOR="#FFFFFF"><B>Status</B></FONT></TD></TR>
<TR><TD><FONT FACE="Arial" SIZE="1">26-03</FONT></TD><TD><FONT FACE="Arial" SIZE="1">Creekside LLC, 40 Mill Road</FONT></TD><TD><FONT FACE="Arial" SIZE="1">{p1}</FONT></TD><TD><FONT FACE="Arial" SIZE="1">{c1}</FONT></TD><TD><FONT FACE="Arial" SIZE="1">{s1}</FONT></TD></TR>
<TR><TD><FONT FACE="Arial" SIZE="1">26-04</FONT></TD><TD><FONT FACE="Arial" SIZE="1">D. Amory, 7 Bay Street</FONT></TD><TD><FONT FACE="Arial" SIZE="1">Accessory apartment over garage</FONT></TD><TD><FONT FACE="Arial" SIZE="1">April 6</FONT></TD><TD><FONT FACE="Arial" SIZE="1">{s2}</FONT></TD></TR>
<TR><TD><FONT FACE="Arial" SIZE="1">26-06</FONT></TD><TD><FONT FACE="Arial" SIZE="1">St. Brendan's Church, 2 Hill Road</FONT></TD><TD><FONT FACE="Arial" SIZE="1">Parking for 22 cars</FONT></TD><TD><FONT FACE="Arial" SIZE="1">April 20</FONT></TD><TD><FONT FACE="Arial" SIZE="1">{s3}</FONT></TD></TR>
{row4}</TABLE>
<P><FONT FACE="Arial" SIZE="3"><B>Minutes</B></FONT></P>
<FONT FACE="Arial" SIZE="2"><UL>{minutes}<LI><A HREF="docs/pb-2026-02-10.pdf">February 10, 2026</A> (PDF)<LI><A HREF="docs/pb-2026-01-13.pdf">January 13, 2026</A> (PDF)</UL></FONT>
<P><FONT FACE="Arial" SIZE="3"><B>Members</B></FONT><BR><FONT FACE="Arial" SIZE="2">Lois Hanrahan, Chair; {members}</FONT></P>
<P><FONT FACE="Arial" SIZE="2"><B>Office hours:</B> {hours}. Telephone (555) 555-0172.</FONT></P>
</TD></TR></TABLE></TD>
<TD WIDTH="150" BGCOLOR="#EEEEDD"><FONT FACE="Arial" SIZE="2"><B>Town calendar</B><BR><FONT SIZE="1">{calendar}</FONT><BR><BR><B>Trash week</B><BR><FONT SIZE="1">{trash}</FONT><BR><BR><B>Our sponsors</B><BR><FONT SIZE="1">{sponsor}</FONT></FONT></TD></TR>
<TR><TD COLSPAN="3" BGCOLOR="#003366" ALIGN="CENTER"><FONT FACE="Arial" SIZE="1" COLOR="#FFFFFF">Copyright &copy; 1999-2026 Town of Barrow Creek. <A HREF="privacy.asp?s={sid}">Privacy</A> <A HREF="https://facebook.com/barrowcreek">Facebook</A> <A HREF="webmaster.asp?s={sid}">Webmaster</A><BR>You are visitor number {hits} since 1999. Best viewed at 800 x 600. This site uses cookies to keep your session.</FONT></TD></TR>
</TABLE></BODY></HTML>
-- looks --
first sid="QX{n}A77" today="Monday, March 16, 2026" temp="41 F, windy" ticker="Town election May 12. Dog licenses are due April 1." menunew="" photo="lighthouse.jpg" photocap="Low tide, by P. Ruiz" poll="Yes 61% - No 39% (203 votes)" remote=" and may be joined by Zoom" mdate="Tuesday, April 14, 2026" mtime="7:00 PM" mroom="Selectmen's Room" agendafile="pb-agenda-2026-04-14.pdf" agenda="Agenda (PDF)" p1="Subdivision of 14 lots" c1="March 30" s1="Hearing continued" s2="Pending" s3="Pending" row4="" minutes="" members="Ed Tso, Vice Chair; Ann Kirby; Paul Desroches; Rita Vance" hours="Monday to Thursday, 8 AM to 4 PM" calendar="Mar 17 School Committee<BR>Mar 18 Story time<BR>Mar 19 ZBA" trash="Green: paper and cardboard" sponsor="Creek Hardware - keys cut" hits="884102"
noise sid="MB{n}K02" today="Tuesday, March 17, 2026" temp="38 F, rain" hits="884167" poll="Yes 60% - No 40% (211 votes)" calendar="Mar 18 Story time<BR>Mar 19 ZBA<BR>Mar 21 Pancake breakfast"
wanted sid="RR{n}Z90" c1="April 6" hits="884190"
noise sid="TT{n}P11" today="Thursday, March 19, 2026" temp="45 F, fair" hits="884297" trash="Blue: glass and cans" ticker="Town election May 12. Dog licenses are due April 1. Pancake breakfast Saturday at the fire house!" calendar="Mar 19 ZBA<BR>Mar 21 Pancake breakfast<BR>Mar 24 Select Board"
wanted sid="UV{n}C45" mroom="Library Meeting Room" hits="884311"
equal sid="WA{n}D66"
noise sid="XB{n}E12" today="Monday, March 23, 2026" hits="884520" photo="barn.jpg" photocap="Amory barn, by J. Lund" sponsor="Bay Diner - pie all day" temp="50 F, fair" calendar="Mar 24 Select Board<BR>Mar 25 Story time<BR>Mar 26 Tree Committee"
wanted sid="XC{n}E90" minutes="<LI><A HREF='docs/pb-2026-03-10.pdf'>March 10, 2026</A> (PDF)" hits="884560"
wanted sid="XD{n}E91" s2="Approved" today="Tuesday, March 24, 2026" hits="884601"
noise sid="XE{n}F01" today="Thursday, March 26, 2026" hits="884744" poll="Yes 58% - No 42% (240 votes)" menunew="<BR><A HREF='shellfish.asp'>Shellfish permits</A>" trash="Green: paper and cardboard" calendar="Mar 26 Tree Committee<BR>Apr 1 Dog licenses due"
wanted sid="XF{n}F02" mtime="6:30 PM" hits="884790"
wanted sid="XG{n}F03" row4="<TR><TD><FONT FACE='Arial' SIZE='1'>26-07</FONT></TD><TD><FONT FACE='Arial' SIZE='1'>Verity Towers, Ridge Road</FONT></TD><TD><FONT FACE='Arial' SIZE='1'>Cell tower, 110 feet</FONT></TD><TD><FONT FACE='Arial' SIZE='1'>April 27</FONT></TD><TD><FONT FACE='Arial' SIZE='1'>Received</FONT></TD></TR>" today="Friday, March 27, 2026" hits="884822" temp="44 F, showers"
noise sid="XH{n}F04" today="Saturday, March 28, 2026" hits="884851" temp="47 F, fair" sponsor="Creek Hardware - keys cut"
wanted sid="XI{n}F05" p1="Subdivision of 11 lots" hits="884870"
broken page="<html><head><title>Barrow Creek</title></head><body><font face='Arial' size=2><p>Microsoft OLE DB Provider for ODBC Drivers</font> <font face='Arial' size=2>error '80004005'</font><p><font face='Arial' size=2>[Microsoft][ODBC Microsoft Access Driver] Too many client tasks.</font><p><font face='Arial' size=2>/planning.asp</font><font face='Arial' size=2>, line 14</font></body></html>"
wanted sid="XJ{n}F06" remote="" today="Monday, March 30, 2026" hits="885012"
