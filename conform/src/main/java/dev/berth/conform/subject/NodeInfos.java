package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.NodeGetInfoRequest;
import dev.berth.csi.v1.NodeGetInfoResponse;
import java.util.List;

/// Who the node is.
final class NodeInfos {
  private static final int LONGEST_NODE_ID = 256;

  static List<Check> checks() {
    return List.of(
        check(
                "node-info.id",
                "The node has an id of at most 256 bytes",
                "NodeGetInfo: node_id is REQUIRED and SHALL NOT exceed 256 bytes")
            .covers("SAN-84")
            .needs(NODE_SERVICE)
            .asks(
                "give each node an id of its own that stays",
                trial -> {
                  var id = info(trial).getNodeId();
                  trial.require(
                      !id.isEmpty() && Wire.bytes(id) <= LONGEST_NODE_ID,
                      "an id of 1 to 256 bytes",
                      '"' + id + '"');
                }),
        check(
                "node-info.limit",
                "The number of volumes that the node can have is not negative",
                "NodeGetInfo: max_volumes_per_node MUST NOT be negative")
            .covers("SAN-84")
            .needs(NODE_SERVICE)
            .asks(
                "answer 0 to leave it to the caller, or how many there can be",
                trial -> {
                  var most = info(trial).getMaxVolumesPerNode();
                  trial.require(most >= 0, "a number of at least 0", most);
                }),
        check(
                "node-info.topology",
                "The node tells its topology where volumes have one",
                "NodeGetInfo: accessible_topology says where the node is, with"
                    + " VOLUME_ACCESSIBILITY_CONSTRAINTS only")
            .covers("SAN-84")
            .needs(NODE_SERVICE)
            .asks(
                "tell the topology, and advertise VOLUME_ACCESSIBILITY_CONSTRAINTS with it",
                trial ->
                    trial.require(
                        info(trial).hasAccessibleTopology()
                            == trial.advertised().has(VOLUME_ACCESSIBILITY_CONSTRAINTS),
                        "accessible_topology exactly if the plugin has the capability",
                        info(trial))),
        check(
                "node-info.steady",
                "The node's id and topology stay",
                "NodeGetInfo: node_id uniquely identifies the node; callers keep it")
            .needs(NODE_SERVICE)
            .asks(
                "take the id from the machine, not from the process",
                trial -> {
                  var first = info(trial);
                  var second = info(trial);
                  trial.require(
                      first.getNodeId().equals(second.getNodeId())
                          && first.getAccessibleTopology().equals(second.getAccessibleTopology()),
                      "the same node twice: " + first,
                      second);
                }));
  }

  private static NodeGetInfoResponse info(Trial trial) {
    return trial.ok(Rpcs.NODE_GET_INFO, NodeGetInfoRequest.getDefaultInstance());
  }

  private NodeInfos() {}
}
