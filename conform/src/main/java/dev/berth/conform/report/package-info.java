/// What is told of a run: on the terminal, as JUnit XML and as JSON.
@NullMarked
package dev.berth.conform.report;

import org.jspecify.annotations.NullMarked;
