/// Where one stack keeps everything: what scripts may rely on stands in [Home].
@NullMarked
package dev.berth.cli.home;

import org.jspecify.annotations.NullMarked;
