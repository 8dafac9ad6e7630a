/// What the controller service does: it makes, removes and publishes volumes in pools. It touches
/// no device.
@NullMarked
package dev.berth.driver.disk.controller;

import org.jspecify.annotations.NullMarked;
