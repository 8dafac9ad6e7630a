package dev.berth.node.runtime;

/// One run of one container of one pod.
///
/// @param podUid `metadata.uid` of the pod
/// @param name of the container in the pod; init and ordinary containers share one space of names
/// @param attempt 0 for the first run, then one more for each restart
public record ContainerId(String podUid, String name, int attempt) {
  public ContainerId {
    // Both become directories.
    if (!podUid.matches("[A-Za-z0-9][A-Za-z0-9-]*"))
      throw new IllegalArgumentException("not a pod's uid: " + podUid);
    if (!name.matches("[a-z0-9][a-z0-9-]*"))
      throw new IllegalArgumentException("not a container's name: " + name);
    if (attempt < 0) throw new IllegalArgumentException("attempt is " + attempt + ", below 0");
  }

  /// As `status.containerStatuses[].containerID` shows it.
  public String url() {
    return "berth://" + this;
  }

  @Override
  public String toString() {
    return podUid + "/" + name + "/" + attempt;
  }
}
