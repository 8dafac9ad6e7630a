/// Small worlds of Kubernetes objects, and rules about them, for the tests of all controllers.
@NullMarked
package dev.berth.controller;

import org.jspecify.annotations.NullMarked;
