package dev.berth.kube.http;

/// Nothing names a cluster that could be asked.
public final class NoCluster extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  NoCluster(String why) {
    super(why);
  }
}
