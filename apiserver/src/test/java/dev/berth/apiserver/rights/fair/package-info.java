@NullMarked
package dev.berth.apiserver.rights.fair;

import org.jspecify.annotations.NullMarked;
