package dev.berth.kube.api;

/// Which objects of a kind: label and field selector in Kubernetes' own syntax; empty: all.
public record Selector(String labels, String fields) {
  public static final Selector ALL = new Selector("", "");

  public static Selector fields(String fields) {
    return new Selector("", fields);
  }

  public static Selector labels(String labels) {
    return new Selector(labels, "");
  }
}
