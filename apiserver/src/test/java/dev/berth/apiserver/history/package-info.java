@NullMarked
package dev.berth.apiserver.history;

import org.jspecify.annotations.NullMarked;
