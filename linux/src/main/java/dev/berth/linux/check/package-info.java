/// How mounted file systems and devices are: for every driver's author. [MountedCheck] asks the
/// kernel once; [VolumeWatch] looks after volumes all the time and uses them a little.
///
/// Always: an answer at once, whatever a drive does (`VolumeWatchTest`). Never: calls a volume ill
/// because it is full or busy (`VolumeWatchTest`); leaves anything in a volume; runs a program that
/// checks file systems on a mounted one (BM-192, BM-193).
@NullMarked
package dev.berth.linux.check;

import org.jspecify.annotations.NullMarked;
