package dev.berth.node.stats;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/// What of a kubelet's `/stats/summary` is about volumes.
public final class Summary {
  private Summary() {}

  /// @param node its name
  public static ObjectNode of(String node, List<Reading> readings) {
    var summary = JsonNodeFactory.instance.objectNode();
    summary.putObject("node").put("nodeName", node);
    var pods = summary.putArray("pods");
    var byPod = new LinkedHashMap<String, ObjectNode>();
    readings.stream()
        .sorted(Comparator.comparing(Reading::podUid).thenComparing(Reading::volume))
        .forEach(reading ->
            byPod
                .computeIfAbsent(reading.podUid(), _ -> pod(pods.addObject(), reading))
                .withArray("/volume")
                .add(volume(reading)));
    return summary;
  }

  private static ObjectNode pod(ObjectNode pod, Reading reading) {
    pod.putObject("podRef")
        .put("name", reading.pod().name())
        .put("namespace", reading.pod().namespace())
        .put("uid", reading.podUid());
    return pod;
  }

  private static ObjectNode volume(Reading reading) {
    var volume = JsonNodeFactory.instance.objectNode();
    volume.put("time", reading.at().truncatedTo(ChronoUnit.SECONDS).toString());
    reading
        .bytes()
        .ifPresent(bytes ->
            volume
                .put("availableBytes", bytes.available())
                .put("capacityBytes", bytes.total())
                .put("usedBytes", bytes.used()));
    reading
        .inodes()
        .ifPresent(inodes ->
            volume
                .put("inodesFree", inodes.available())
                .put("inodes", inodes.total())
                .put("inodesUsed", inodes.used()));
    volume.put("name", reading.volume());
    reading
        .claim()
        .ifPresent(claim ->
            volume
                .putObject("pvcRef")
                .put("name", claim.name())
                .put("namespace", claim.namespace()));
    reading
        .condition()
        .ifPresent(condition ->
            volume.putObject("volumeHealthStats").put("abnormal", condition.abnormal()));
    return volume;
  }
}
