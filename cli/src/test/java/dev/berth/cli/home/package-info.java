@NullMarked
package dev.berth.cli.home;

import org.jspecify.annotations.NullMarked;
