package dev.berth.driver.model;

import java.util.Map;
import java.util.Optional;

/// Credentials that came with a call. They live as long as the call and never show themselves.
public record Secrets(Map<String, String> values) {
  public static final Secrets NONE = new Secrets(Map.of());

  public Secrets {
    values = Map.copyOf(values);
  }

  public Optional<String> get(String key) {
    return Optional.ofNullable(values.get(key));
  }

  @Override
  public String toString() {
    return "Secrets[" + values.size() + "]";
  }
}
