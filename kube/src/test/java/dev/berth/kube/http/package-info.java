@NullMarked
package dev.berth.kube.http;

import org.jspecify.annotations.NullMarked;
