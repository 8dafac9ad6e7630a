package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.custom.rule.CelPrograms;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.MetadataRules;
import dev.berth.apiserver.core.kind.Rules;
import java.util.List;

/// The objects of a custom kind (API-122, API-126): as their schema says.
final class CustomRules implements Rules {
  private final CustomVersion version;

  CustomRules(CustomVersion version) {
    this.version = version;
  }

  @Override
  public Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  public MetadataRules.Finalizers finalizers() {
    return MetadataRules.Finalizers.QUALIFIED;
  }

  @Override
  public boolean versionlessUpdate() {
    return false;
  }

  @Override
  public boolean statusAtCreate() {
    return !version.hasStatus();
  }

  @Override
  public List<String> keptByStatusWrite() {
    return List.of("labels", "annotations", "finalizers", "ownerReferences", "generateName");
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void prepare(ObjectNode object) {
    CelPrograms.demand(version.sources());
  }

  @Override
  public void setDefaults(ObjectNode object) {
    Shaping.prune(object, version.schema());
    Shaping.setDefaults(object, version.schema());
  }

  /// Rules rely on the types that the schema has checked.
  @Override
  public void checkNew(Field object) {
    new SchemaCheck(object).check(version.schema());
    if (object.errors().isEmpty())
      Validations.of(object.node(), version.schema()).forEach(object::add);
  }

  /// What was stored under another schema stays as it is until somebody changes it.
  @Override
  public void checkChange(Field object, Field stored) {
    new SchemaCheck(object).checkChange(stored, version.schema());
    checkRules(object, stored);
  }

  private void checkRules(Field object, Field stored) {
    if (object.errors().isEmpty())
      Validations.ofChange(object.node(), stored.node(), version.schema()).forEach(object::add);
  }

  @Override
  public void checkStatusChange(Field object, Field stored) {
    new SchemaCheck(object).checkStatusChange(stored, version.schema());
    checkRules(object, stored);
  }
}
