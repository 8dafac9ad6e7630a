/// The checks, one file a subject. Start at [Subjects].
///
/// Always: a check makes what it needs and asks one thing. Where the specification leaves a driver
/// the choice, both answers pass. Each is shown to fail on a driver that is wrong in just that
/// (`FaultsTest`). They are many and stay together: each is one more of a kind, known to nobody but
/// [Subjects], and what two of them share ([Contents], [Volumes], [Wire]) is of no use elsewhere.
@NullMarked
package dev.berth.conform.subject;

import org.jspecify.annotations.NullMarked;
