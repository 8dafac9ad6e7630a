@NullMarked
package dev.berth.cli.controllers;

import org.jspecify.annotations.NullMarked;
