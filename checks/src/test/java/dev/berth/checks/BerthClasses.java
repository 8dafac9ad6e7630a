package dev.berth.checks;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/// All our classes, read once for all tests: they take several hundred megabytes and ten seconds.
final class BerthClasses {
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.berth");

  private BerthClasses() {}

  static JavaClasses all() {
    return ALL;
  }
}
