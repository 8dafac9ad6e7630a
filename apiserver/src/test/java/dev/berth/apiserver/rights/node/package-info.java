@NullMarked
package dev.berth.apiserver.rights.node;

import org.jspecify.annotations.NullMarked;
