@NullMarked
package dev.berth.sidecar.nodeplugin;

import org.jspecify.annotations.NullMarked;
