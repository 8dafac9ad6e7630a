package dev.berth.apiserver.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// In what the two versions of OpenAPI differ.
enum Dialect {
  /// Version 2. A reference stands alone, and nothing is of two types.
  SWAGGER("#/definitions/") {
    @Override
    void refer(ObjectNode to, String name) {
      to.put("$ref", reference(name));
    }

    /// People read the other one.
    @Override
    boolean describes() {
      return false;
    }

    @Override
    void either(ObjectNode to, String otherwise) {
      to.put("type", "string");
      if (otherwise.equals("integer")) to.put("format", "int-or-string");
    }
  },
  /// Version 3.
  OPEN_API("#/components/schemas/") {
    @Override
    void refer(ObjectNode to, String name) {
      to.putArray("allOf").addObject().put("$ref", reference(name));
    }

    @Override
    boolean describes() {
      return true;
    }

    @Override
    void either(ObjectNode to, String otherwise) {
      var either = to.putArray("oneOf");
      either.addObject().put("type", "string");
      either.addObject().put("type", otherwise);
    }
  };

  private final String place;

  Dialect(String place) {
    this.place = place;
  }

  /// Where the schema of that name is.
  final String reference(String name) {
    return place + name;
  }

  /// Makes `to` the schema of that name.
  abstract void refer(ObjectNode to, String name);

  /// Whether it says what fields are for.
  abstract boolean describes();

  /// Makes `to` a text or else a value of the type `otherwise`.
  abstract void either(ObjectNode to, String otherwise);
}
