package dev.berth.driver.baremetal.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// A volume on a drive (BM-11): kind `Volume`. `spec` says what was asked for, `status` where it
/// stands.
///
/// @param id CSI's volume id, which is the name that the caller gave
/// @param recipe what was asked for
/// @param fsType file system to make; empty: raw
/// @param wipe how its bytes leave the drive (BM-119)
/// @param layout how it lies on its drive
/// @param location `UUID` of its drive; empty: it has none yet
/// @param nodeId of that drive
/// @param size bytes that it has of that drive; 0: it has none yet
/// @param status empty: nobody has begun
/// @param written whether anything of it may be on its drive: set before the first byte is written,
///   so that nothing is wiped that is not of it
/// @param message why it failed; empty: it has not
/// @param stagedAt where it is staged on its node; empty: nowhere
/// @param stagedAs for which use, in the words of [dev.berth.driver.model.Usage]
/// @param publishedAt where it was published there and not unpublished since
/// @param owners pods that it is published to, as far as they are known (BM-116)
/// @param findings what its node has found out about it while it is staged there (BM-199)
public record LocalVolume(
    Meta meta,
    String id,
    VolumeRecipe recipe,
    String fsType,
    Wipe wipe,
    Layout layout,
    String location,
    String nodeId,
    long size,
    CsiStatus status,
    Health health,
    OperationalStatus operational,
    VolumeUsage usage,
    boolean written,
    String message,
    String stagedAt,
    String stagedAs,
    List<String> publishedAt,
    List<String> owners,
    List<VolumeFinding> findings)
    implements KubeObject {
  /// Holds the object until its drive is free again (BM-41).
  public static final String FINALIZER = "dell.emc.csi/volume-cleanup";

  /// Field of `status`: [#written].
  public static final String WRITTEN = "Written";

  /// Parameter of a class: `false` keeps the node from using the volume for checks.
  public static final String PROBE = "healthProbe";

  /// Until the driver is told the claim's namespace, its volumes are here.
  public static final String NAMESPACE = "default";

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,126}[a-z0-9])?");

  static LocalVolume read(JsonNode tree) {
    var spec = tree.path("spec");
    var status = tree.path("status");
    return new LocalVolume(
        Meta.of(tree),
        Json.text(spec, "Id"),
        VolumeRecipe.decode(Json.text(spec, "Recipe")),
        Json.text(spec, "Type"),
        Words.read(Wipe.class, Json.text(spec, "Wipe"), Wipe.ZERO),
        Words.read(Layout.class, Json.text(spec, "Layout"), Layout.DRIVE),
        Json.text(spec, "Location"),
        Json.text(spec, "NodeId"),
        spec.path("Size").asLong(),
        Words.read(CsiStatus.class, Json.text(status, "CSIStatus"), CsiStatus.CREATING),
        Words.read(Health.class, Json.text(status, "Health"), Health.UNKNOWN),
        Words.read(
            OperationalStatus.class,
            Json.text(status, "OperationalStatus"),
            OperationalStatus.UNKNOWN),
        Words.read(VolumeUsage.class, Json.text(status, "Usage"), VolumeUsage.IN_USE),
        status.path(WRITTEN).asBoolean(),
        Json.text(status, "Message"),
        Json.text(status, "StagedAt"),
        Json.text(status, "StagedAs"),
        Json.list(status.path("PublishedAt"), JsonNode::asText),
        Json.list(status.path("Owners"), JsonNode::asText),
        Json.list(status.path("Findings"), VolumeFinding::read));
  }

  public Ref ref() {
    return Ref.of(BareMetalKinds.VOLUMES, meta);
  }

  /// Where the object of a volume stands. Ids are names of CSI, which allows more than Kubernetes.
  public static ObjectKey key(String id) {
    var name = NAME.matcher(id).matches() ? id : "v-" + named(id);
    return ObjectKey.of(NAMESPACE, name);
  }

  /// Marks what we made on a drive as made for this volume (BM-110).
  public static UUID uuid(String id) {
    try {
      return UUID.fromString(id.startsWith("pvc-") ? id.substring(4) : id);
    } catch (IllegalArgumentException _) {
      return named(id);
    }
  }

  /// BM-20.
  private static String mode(VolumeRecipe recipe, Layout layout) {
    if (!recipe.block()) return "FS";
    return layout == Layout.PARTITION ? "RAW_PART" : "RAW";
  }

  private static UUID named(String id) {
    return UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8));
  }

  /// Whether it has a drive and is whole: what CSI calls a volume.
  public boolean made() {
    return status != CsiStatus.CREATING && status != CsiStatus.REMOVED && !location.isEmpty();
  }

  /// Whether its node may use it a little to see whether it works (BM-195).
  public boolean probed() {
    return !"false".equals(recipe.parameters().get(PROBE));
  }

  /// Whether what it has written stays on its drive when it goes (BM-119).
  public boolean leavesItsBytes() {
    return wipe == Wipe.NONE && written && layout != Layout.SHARE;
  }

  /// Whether its pods see something empty in its place (BM-150).
  public boolean fakeAttached() {
    return meta.annotation(Marks.FAKE_ATTACH).filter(Marks.YES::equals).isPresent();
  }

  public boolean block() {
    return recipe.block();
  }

  public Optional<ObjectKey> drive() {
    return location.isEmpty() ? Optional.empty() : Optional.of(ObjectKey.cluster(location));
  }

  /// A new object, without a drive, that will be one by itself.
  public static ObjectNode draft(VolumeRecipe recipe, String fsType, Wipe wipe, String type) {
    return draft(recipe, fsType, wipe, type, Layout.DRIVE);
  }

  /// A new object, without a drive.
  public static ObjectNode draft(
      VolumeRecipe recipe, String fsType, Wipe wipe, String type, Layout layout) {
    var key = key(recipe.name());
    var volume =
        JsonNodeFactory.instance
            .objectNode()
            .put("apiVersion", BareMetalKinds.VOLUMES.apiVersion())
            .put("kind", BareMetalKinds.VOLUMES.kind());
    volume
        .putObject("metadata")
        .put("namespace", key.namespace())
        .put("name", key.name())
        .putArray("finalizers")
        .add(FINALIZER);
    volume
        .putObject("spec")
        .put("Id", recipe.name())
        .put("LocationType", "DRIVE")
        .put("StorageClass", type)
        .put("Mode", mode(recipe, layout))
        .put("Type", fsType)
        .put("Wipe", wipe.name())
        .put("Layout", layout.name())
        .put("Recipe", recipe.encode());
    return volume;
  }
}
