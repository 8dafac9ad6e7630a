package dev.berth.driver.baremetal.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/// A drive in a node (BM-10). `spec` says which it is and who has it, `status` what was observed.
///
/// @param size bytes
/// @param nodeId `UUID` of its node's object
/// @param claimant the volume that has the drive, as `namespace/name`; empty: nobody. Set by one
///   compare-and-set before anything is written to the drive (BM-81)
/// @param claimantUid `uid` of that volume: one of the same name is another; empty: it is not noted
/// @param pendingWipe the volume whose bytes are still on it though its object is gone (BM-102):
///   until they are wiped the drive is for nobody
/// @param sharing the volumes that share it, if it has no claimant (BM-210)
/// @param admitted whether somebody has said that volumes may have it (BM-211): who set the driver
///   up, or a person who read what is on it. Nothing is written to a drive without
/// @param wiping a wipe of it that was begun and has not come to its end: nobody gets the drive
/// @param observed empty `status`: [DriveState] of a drive that nobody has looked at
/// @param looked whether there is a `status`
public record Drive(
    Meta meta,
    DriveIdentity identity,
    DriveType type,
    long size,
    String nodeId,
    Optional<String> claimant,
    String claimantUid,
    Optional<String> pendingWipe,
    Sharing sharing,
    boolean admitted,
    Optional<Wiping> wiping,
    DriveState observed,
    boolean looked)
    implements KubeObject {
  /// Field of `spec`: [#admitted].
  public static final String ADMITTED = "Admitted";

  static Drive read(JsonNode tree) {
    var spec = tree.path("spec");
    return new Drive(
        Meta.of(tree),
        new DriveIdentity(
            Json.text(spec, "VID"), Json.text(spec, "PID"), Json.text(spec, "SerialNumber")),
        Words.read(DriveType.class, Json.text(spec, "Type"), DriveType.HDD),
        spec.path("Size").asLong(),
        Json.text(spec, "NodeId"),
        Json.optionalText(spec, "Claimant").filter(it -> !it.isEmpty()),
        Json.text(spec, "ClaimantUID"),
        Json.optionalText(spec, "PendingWipe").filter(it -> !it.isEmpty()),
        Sharing.read(spec),
        spec.path(ADMITTED).asBoolean(),
        Wiping.read(tree.path("status")),
        DriveState.read(tree.path("status")),
        tree.hasNonNull("status"));
  }

  /// The `UUID`, which is also the object's name.
  public String uuid() {
    return meta.name();
  }

  public Ref ref() {
    return Ref.of(BareMetalKinds.DRIVES, meta);
  }

  /// What a person says of its health, whatever was measured (BM-30); empty: nothing that is a word
  /// of ours.
  public Optional<Health> override() {
    return meta.annotation(Marks.HEALTH).flatMap(Health::named);
  }

  /// The value of one of the annotations by which people lead a drive, in lower case (BM-31,
  /// BM-32); empty: it is not there.
  public String word(String annotation) {
    return meta.annotation(annotation).orElse("").toLowerCase(Locale.ROOT);
  }

  /// Whether all of it was wiped, and nobody is left who has to say what that was for (BM-119).
  public boolean isWipedForNobody() {
    return wiping.filter(it -> it.done() >= size).isPresent()
        && claimant.isEmpty()
        && pendingWipe.isEmpty()
        && word(Marks.INITIALIZE).isEmpty();
  }

  /// A serial number that it has beside that under which it is registered, if one was found since
  /// (BM-23).
  public Optional<String> knownAs() {
    return meta.annotation(Marks.KNOWN_AS).filter(it -> !it.isBlank());
  }

  /// Serial numbers that any layer has said of it beside those by which it is told from others.
  /// They may be a whole shelf's.
  public Set<String> alsoSerials() {
    return meta.annotation(Marks.ALSO_SERIALS).stream()
        .flatMap(String::lines)
        .filter(it -> !it.isBlank())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// As people call it: its serial number, which is on its label, too.
  public String shortName() {
    return identity.serial();
  }

  /// The volume that has left its bytes on it for a person to look at (BM-119); empty: none.
  public Optional<String> unclean() {
    return meta.annotation(Marks.UNCLEAN);
  }

  /// What [#review] says of a drive on which there is something, for people.
  ///
  /// @param obstacles as the drive's manager has found them
  public String holding(List<String> obstacles) {
    return holding(obstacles, wiping.isPresent());
  }

  private String holding(List<String> obstacles, boolean wiped) {
    var all = new ArrayList<>(obstacles);
    unclean().ifPresent(it -> all.add("holds what volume %s has left".formatted(it)));
    if (wiped) all.add("holds what a wipe that was begun has not come to yet");
    return "the drive %s; nothing is ever removed from a drive that is not of a volume of ours"
        .formatted(String.join(" and ", all));
  }

  /// Whether what was found of it just now is what [#review] speaks of.
  public boolean isHolding(List<String> obstacles) {
    return found().equals(holding(obstacles));
  }

  private String found() {
    return observed.conditions().stream()
        .filter(it -> it.type().equals("Available"))
        .map(DriveCondition::message)
        .findFirst()
        .orElse("");
  }

  /// What there is to know of what is on it, in short: another word as soon as anything of that is
  /// another (BM-211).
  public String review() {
    return review(found());
  }

  /// Whether a review that was given before a wipe was begun speaks of what is found now. It may
  /// have known of an earlier wipe.
  public boolean isReviewed(String reviewed, List<String> obstacles) {
    return reviewed.equals(review(holding(obstacles, false)))
        || reviewed.equals(review(holding(obstacles, true)));
  }

  private String review(String found) {
    var text = String.join("\n", meta.uid(), identity.toString(), Long.toString(size), found);
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /// The id of the volume that is to be made on it before any other (BM-94).
  public Optional<String> keptFor(Instant now) {
    return meta.annotation(Marks.KEPT_FOR)
        .flatMap(Reservation::read)
        .filter(it -> it.holds(now))
        .map(Reservation::volume);
  }

  /// Whether new volumes are kept away (BM-39).
  public boolean cordoned() {
    return "NoSchedule".equals(meta.labels().get(BareMetalKinds.TAINT));
  }

  /// Whether anything of a volume may be on it.
  public boolean isWrittenTo() {
    return claimant.isPresent()
        || sharing.any()
        || pendingWipe.isPresent()
        || unclean().isPresent();
  }

  /// Whether a volume may have it now (BM-80).
  public boolean available() {
    return free() && !cordoned();
  }

  /// Whether nothing but a person's word may keep a volume from having all of it (BM-80).
  public boolean free() {
    return serves() && claimant.isEmpty() && !sharing.any() && blank();
  }

  /// How many bytes a volume could have of it beside others now (BM-210); 0: none, or somebody
  /// keeps new volumes away.
  public long room() {
    return cordoned() ? 0 : freeRoom();
  }

  /// How many bytes a volume could have of it beside others, but for a person's word (BM-80).
  public long freeRoom() {
    boolean shareable = serves() && claimant.isEmpty() && (sharing.any() || blank());
    return shareable ? Math.max(0, Sharing.usable(size) - sharing.taken()) : 0;
  }

  /// Whether it would be free if somebody said that volumes may have it (BM-211).
  public boolean awaitsConsent() {
    return !admitted
        && serves()
        && claimant.isEmpty()
        && !sharing.any()
        && observed.clean()
        && !cordoned();
  }

  private boolean blank() {
    return admitted && observed.clean() && unclean().isEmpty();
  }

  /// Whether it is there, well, and in service.
  private boolean serves() {
    return looked
        && pendingWipe.isEmpty()
        && wiping.isEmpty()
        && !meta.deleting()
        && !observed.system()
        && !observed.health().failing()
        && observed.presence() == Presence.ONLINE
        && observed.usage() == DriveUsage.IN_USE;
  }

  /// Whether the volume has it, or a share of it. One that is to be wiped later has been given up,
  /// whatever the name of the volume that it was of.
  public boolean claimedBy(Meta volume) {
    return pendingWipe.isEmpty() && (claimedWhole(volume) || sharing.of(volume).isPresent());
  }

  private boolean claimedWhole(Meta volume) {
    return claimant.filter(volume.key().toString()::equals).isPresent()
        && (claimantUid.isEmpty() || claimantUid.equals(volume.uid()));
  }

  /// As it was, with another state.
  public Drive with(DriveState state) {
    return new Drive(
        meta,
        identity,
        type,
        size,
        nodeId,
        claimant,
        claimantUid,
        pendingWipe,
        sharing,
        admitted,
        wiping,
        state,
        true);
  }

  /// A new object for a drive, without status: that is written when it is there.
  ///
  /// @param admitted whether volumes may have it from the start
  public static ObjectNode draft(
      DriveIdentity identity, DriveType type, long size, String nodeId, boolean admitted) {
    var uuid = identity.uuidOn(nodeId);
    var drive =
        JsonNodeFactory.instance
            .objectNode()
            .put("apiVersion", BareMetalKinds.DRIVES.apiVersion())
            .put("kind", BareMetalKinds.DRIVES.kind());
    drive.putObject("metadata").put("name", uuid);
    drive
        .putObject("spec")
        .put("UUID", uuid)
        .put("VID", identity.vid())
        .put("PID", identity.pid())
        .put("SerialNumber", identity.serial())
        .put("Type", type.name())
        .put("Size", size)
        .put("NodeId", nodeId)
        .put(ADMITTED, admitted);
    return drive;
  }
}
