/// CSI's controller side: which drive a volume gets, and what there is. Start at
/// [BareMetalVolumes].
@NullMarked
package dev.berth.driver.baremetal.controller;

import org.jspecify.annotations.NullMarked;
