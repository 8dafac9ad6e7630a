@NullMarked
package dev.berth.apiserver.backup;

import org.jspecify.annotations.NullMarked;
