/// What pods are told of their volumes' health.
@NullMarked
package dev.berth.node.health;

import org.jspecify.annotations.NullMarked;
