/// Options that several commands share: where the home is, which form the output has, which cluster
/// is meant; each read and checked in one place.
@NullMarked
package dev.berth.cli.option;

import org.jspecify.annotations.NullMarked;
