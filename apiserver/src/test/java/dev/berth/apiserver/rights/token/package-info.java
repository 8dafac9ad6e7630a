@NullMarked
package dev.berth.apiserver.rights.token;

import org.jspecify.annotations.NullMarked;
