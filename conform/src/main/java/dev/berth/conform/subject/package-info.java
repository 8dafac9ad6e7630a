/// The checks, one file a subject. Start at [Subjects].
///
/// Always: a check makes what it needs and asks one thing. Where the specification leaves a driver
/// the choice, both answers pass. Each is shown to fail on a driver that is wrong in just that
/// (`FaultsTest`).
@NullMarked
package dev.berth.conform.subject;

import org.jspecify.annotations.NullMarked;
