/// What the tests of this module share: a place on this machine where they may mount.
@NullMarked
package dev.berth.linux;

import org.jspecify.annotations.NullMarked;
