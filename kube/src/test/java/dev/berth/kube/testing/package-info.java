/// A clock and a server that do only what a test tells them to.
@NullMarked
package dev.berth.kube.testing;

import org.jspecify.annotations.NullMarked;
