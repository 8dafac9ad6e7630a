/// The way to a volume: which claim, PersistentVolume and source a pod's volume means, and which
/// pods a claim or a volume concerns. Start at [Ways]; the other way is [Users].
///
/// Always: a way ends at a case that says where, so that whoever asks can say what it waits for
/// (`WaysTest`). Never: decides anything, or asks a server or a driver
/// (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.volume;

import org.jspecify.annotations.NullMarked;
