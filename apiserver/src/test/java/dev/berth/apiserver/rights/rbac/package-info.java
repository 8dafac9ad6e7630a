@NullMarked
package dev.berth.apiserver.rights.rbac;

import org.jspecify.annotations.NullMarked;
