package dev.berth.driver.spi;

import dev.berth.csi.Redaction;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Usage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/// Prepares a volume on a node once for all its users there: STAGE_UNSTAGE_VOLUME. Needs
/// [NodePublishing].
public interface NodeStaging {
  /// A volume, to be prepared at a path.
  ///
  /// @param directory made by the caller, empty
  /// @param publishContext of [Publishing#publish]; comes by way of others, do not trust it
  /// @param volumeContext of the volume; comes by way of others, do not trust it
  record Stage(
      String volumeId,
      Path directory,
      Usage usage,
      Map<String, String> publishContext,
      Map<String, String> volumeContext,
      Secrets secrets) {
    public Stage {
      publishContext = Map.copyOf(publishContext);
      volumeContext = Map.copyOf(volumeContext);
    }

    /// For logs: without the secrets, nor tokens that somebody put into the context (SEC-03).
    @Override
    public String toString() {
      return "Stage[volumeId=%s, directory=%s, usage=%s, publishContext=%s, volumeContext=%s, %s]"
          .formatted(
              volumeId, directory, usage, publishContext, Redaction.told(volumeContext), secrets);
    }
  }

  /// Staged in the same way already is done; staged in another way is EXISTS_DIFFERENTLY.
  void stage(Stage stage) throws IOException;

  /// Leaves the directory empty. Not staged there is done, an unknown volume too; the mounts of
  /// other volumes stay.
  void unstage(String volumeId, Path directory) throws IOException;
}
