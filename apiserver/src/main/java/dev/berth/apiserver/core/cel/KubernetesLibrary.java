package dev.berth.apiserver.core.cel;

import com.google.re2j.Pattern;
import dev.cel.checker.CelCheckerBuilder;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import java.util.function.Function;

/// All of them, for who compiles and for who runs.
public final class KubernetesLibrary implements CelCompilerLibrary, CelRuntimeLibrary {
  private final Functions functions = new Functions();

  /// @param patterns reads a regular expression, or throws
  public KubernetesLibrary(Function<String, Pattern> patterns) {
    QuantityFunctions.addTo(functions);
    AddressFunctions.addTo(functions);
    UrlFunctions.addTo(functions);
    ListFunctions.addTo(functions);
    TextFunctions.addTo(functions, patterns);
    NamedFormats.addTo(functions);
    VersionFunctions.addTo(functions);
  }

  @Override
  public void setCheckerOptions(CelCheckerBuilder checker) {
    checker.addFunctionDeclarations(functions.declarations());
  }

  @Override
  public void setRuntimeOptions(CelRuntimeBuilder runtime) {
    runtime.addFunctionBindings(functions.bindings());
  }
}
