package dev.berth.driver.spi;

import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.VolumeRecipe;
import java.io.IOException;
import java.util.Optional;

/// Makes and removes volumes: CREATE_DELETE_VOLUME.
public interface Volumes {
  /// The volume that a call to [#create] with this name made, whole or finished since.
  Optional<Volume> named(String name) throws IOException;

  Optional<Volume> volume(String id) throws IOException;

  /// Makes a blank volume. There is none of this name; there may be what is left of one, if an
  /// earlier call was cut off.
  ///
  /// @throws dev.berth.driver.model.Refusal INVALID for a parameter that the driver does not know,
  ///   OUT_OF_RANGE, NO_ROOM
  Volume create(VolumeRecipe recipe, Secrets secrets) throws IOException;

  /// Removes a volume and its data.
  ///
  /// @throws dev.berth.driver.model.Refusal WRONG_STATE if it is in use: then nothing changes
  void delete(Volume volume, Secrets secrets) throws IOException;
}
