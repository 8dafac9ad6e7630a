/// What controllers and nodes write of a volume into its claim: patches of single fields and
/// conditions of the claim's status.
@NullMarked
package dev.berth.volume.status;

import org.jspecify.annotations.NullMarked;
