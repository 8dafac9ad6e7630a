package dev.berth.node.token;

import java.time.Instant;

/// A token of a pod's service account. Never shown in a text.
public record PodToken(String token, Instant expires) {
  @Override
  public String toString() {
    return "a token until " + expires;
  }
}
