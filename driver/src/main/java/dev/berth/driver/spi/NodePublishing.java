package dev.berth.driver.spi;

import dev.berth.csi.Redaction;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Usage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Puts a volume where one of its users expects it. Needs [OnNode].
public interface NodePublishing {
  /// A volume, wanted at a path.
  ///
  /// @param stagedAt where it is staged; present if the driver is [NodeStaging]
  /// @param target to be made by the driver, in a directory made by the caller; may be there
  ///   already
  /// @param readOnly whether nothing may be written here, by request or by the mode of the usage
  /// @param publishContext of [Publishing#publish]; comes by way of others, do not trust it
  /// @param volumeContext of the volume and of the pod; comes by way of others, do not trust it
  record Publish(
      String volumeId,
      Optional<Path> stagedAt,
      Path target,
      Usage usage,
      boolean readOnly,
      Map<String, String> publishContext,
      Map<String, String> volumeContext,
      Secrets secrets) {
    public Publish {
      publishContext = Map.copyOf(publishContext);
      volumeContext = Map.copyOf(volumeContext);
    }

    /// Whether nothing is left to do, by the rules for one volume at several paths of a node
    /// (NOD-13 to NOD-15).
    ///
    /// @param places where the volume is now; ask the kernel rather than a record
    /// @throws dev.berth.driver.model.Refusal EXISTS_DIFFERENTLY or WRONG_STATE if it must not come
    ///   here as wanted
    public boolean isDone(List<Place> places) {
      return PublishRules.isDone(this, places);
    }

    /// The same, but that nothing may be written there.
    public Publish asReadOnly() {
      return new Publish(
          volumeId, stagedAt, target, usage, true, publishContext, volumeContext, secrets);
    }

    /// For logs: without the pod's tokens and the secrets (SEC-03).
    @Override
    public String toString() {
      return "Publish[volumeId=%s, stagedAt=%s, target=%s, usage=%s, readOnly=%s, publishContext=%s, volumeContext=%s, %s]"
          .formatted(
              volumeId,
              stagedAt.map(Path::toString).orElse("none"),
              target,
              usage,
              readOnly,
              publishContext,
              Redaction.told(volumeContext),
              secrets);
    }

    /// The user wants a volume that lives and dies with the pod: nobody called [Volumes#create].
    public boolean ephemeral() {
      return "true".equals(volumeContext.get("csi.storage.k8s.io/ephemeral"));
    }
  }

  /// A path at which a volume is.
  ///
  /// @param usage as it was asked for; empty: nobody noted it
  record Place(Path target, Optional<Usage> usage, boolean readOnly) {
    /// For people: `mount, SINGLE_NODE_WRITER, readonly false`.
    String words() {
      return usage.map(it -> it + ", ").orElse("") + "readonly " + readOnly;
    }
  }

  /// Published there in the same way already is done, whatever the contexts are (NOD-14).
  void publish(Publish publish) throws IOException;

  /// Removes the target and all that is mounted on it by this volume. Not published there is done,
  /// an unknown volume too.
  void unpublish(String volumeId, Path target) throws IOException;
}
