@NullMarked
package dev.berth.cli.nodeplugin;

import org.jspecify.annotations.NullMarked;
