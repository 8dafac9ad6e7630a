package dev.berth.driver.spi;

import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.VolumeRecipe;
import java.io.IOException;

/// Makes a volume with the data of another: CLONE_VOLUME. Needs [Volumes].
public interface Cloning {
  /// Like [Volumes#create]. The source is as large as the clone may be, and stays until the end.
  Volume cloneOf(Volume source, VolumeRecipe recipe, Secrets secrets) throws IOException;
}
