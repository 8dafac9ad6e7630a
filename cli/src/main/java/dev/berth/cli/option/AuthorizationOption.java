package dev.berth.cli.option;

import dev.berth.apiserver.http.Mode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// Who may do what, in kube-apiserver's words (API-11).
public final class AuthorizationOption {
  @Option(
      names = "--authorization-mode",
      paramLabel = "MODE",
      converter = Words.class,
      description =
          "RBAC: what roles give, and nodes need for their pods; AlwaysAllow: whoever shows a"
              + " credential may do everything; default: RBAC.")
  private Mode mode = Mode.RBAC;

  static final class Words implements ITypeConverter<Mode> {
    @Override
    public Mode convert(String word) {
      for (var mode : Mode.values()) if (mode.word().equals(word)) return mode;
      throw new TypeConversionException("choose RBAC or AlwaysAllow, not " + word);
    }
  }

  /// Whether anything else was asked for than what a stack has anyway.
  boolean given() {
    return mode != Mode.RBAC;
  }

  public Mode mode() {
    return mode;
  }
}
