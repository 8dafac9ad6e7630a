/// What the files of `apply`, `delete` and `run` hold.
@NullMarked
package dev.berth.cli.manifest;

import org.jspecify.annotations.NullMarked;
