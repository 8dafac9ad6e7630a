package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.Topology;
import dev.berth.csi.v1.TopologyRequirement;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Where volumes can be reached from.
final class Topologies {
  private static final Pattern KEY =
      Pattern.compile(
          "([A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?/)?"
              + "[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");
  private static final Pattern VALUE =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

  static List<Check> checks() {
    return List.of(
        check(
                "topology.form",
                "Topology keys and values have the form that the specification gives them",
                "Topology: a key is an optional prefix of at most 63 characters, a slash and a name"
                    + " of at most 63; a value has at most 63; keys are equal whatever their case")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, VOLUME_ACCESSIBILITY_CONSTRAINTS)
            .asks("shorten or encode what does not fit", Topologies::form),
        check(
                "topology.requisite",
                "A volume is reachable from the topology that is asked for",
                "TopologyRequirement: the volume MUST be accessible from at least one of the"
                    + " requisite topologies; accessible_topology says from which")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, VOLUME_ACCESSIBILITY_CONSTRAINTS)
            .asks(
                "make the volume where the requirement says, and answer with that topology",
                Topologies::requisite),
        check(
                "topology.unreachable",
                "A topology that the driver does not reach is RESOURCE_EXHAUSTED",
                "CreateVolume Errors: RESOURCE_EXHAUSTED, if the topology is valid but a volume"
                    + " cannot be provisioned there")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, VOLUME_ACCESSIBILITY_CONSTRAINTS)
            .refuses(
                RESOURCE_EXHAUSTED,
                CREATE_VOLUME,
                trial -> {
                  var elsewhere = Topology.newBuilder();
                  node(trial)
                      .getSegmentsMap()
                      .keySet()
                      .forEach(key -> elsewhere.putSegments(key, Requests.PREFIX + "nowhere"));
                  return trial
                      .requests()
                      .volume()
                      .setAccessibilityRequirements(
                          TopologyRequirement.newBuilder().addRequisite(elsewhere))
                      .build();
                }),
        check(
                "topology.empty",
                "A requirement that requires nothing is refused",
                "TopologyRequirement: requisite or preferred or both MUST be specified;"
                    + " Error Scheme: an invalid field is INVALID_ARGUMENT")
            .needs(CREATE_DELETE_VOLUME, VOLUME_ACCESSIBILITY_CONSTRAINTS)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_VOLUME,
                trial ->
                    trial
                        .requests()
                        .volume()
                        .setAccessibilityRequirements(TopologyRequirement.getDefaultInstance())
                        .build()));
  }

  private static Topology node(Trial trial) {
    return trial
        .advertised()
        .node()
        .filter(node -> node.getAccessibleTopology().getSegmentsCount() > 0)
        .map(node -> node.getAccessibleTopology())
        .orElseThrow(() -> new SkipException("NodeGetInfo tells no topology"));
  }

  private static void form(Trial trial) {
    checkForm(trial, node(trial));
    trial.volume().getAccessibleTopologyList().forEach(topology -> checkForm(trial, topology));
  }

  private static void checkForm(Trial trial, Topology topology) {
    var keys = new HashSet<String>();
    topology
        .getSegmentsMap()
        .forEach((key, value) -> {
          trial.require(
              KEY.matcher(key).matches() && VALUE.matcher(value).matches(),
              "a well-formed segment",
              key + "=" + value);
          trial.require(
              keys.add(key.toLowerCase(Locale.ROOT)), "keys that differ in more than case", key);
        });
  }

  private static void requisite(Trial trial) {
    var node = node(trial);
    var reachable = trial.volume().getAccessibleTopologyList();
    trial.require(
        reachable.isEmpty()
            || reachable.stream()
                .anyMatch(topology ->
                    node.getSegmentsMap()
                        .entrySet()
                        .containsAll(topology.getSegmentsMap().entrySet())),
        "a volume that is accessible from " + node,
        reachable);
  }

  private Topologies() {}
}
