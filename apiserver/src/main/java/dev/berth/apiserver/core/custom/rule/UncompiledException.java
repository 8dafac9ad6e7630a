package dev.berth.apiserver.core.custom.rule;

import java.util.Set;

/// Rules are needed that [CelPrograms] has not compiled yet; nothing has been done so far.
public final class UncompiledException extends RuntimeException {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // is never written
  private final Set<CelSource> rules;

  UncompiledException(Set<CelSource> rules) {
    super(rules.size() + " rules are not compiled");
    this.rules = Set.copyOf(rules);
  }

  public Set<CelSource> rules() {
    return rules;
  }
}
