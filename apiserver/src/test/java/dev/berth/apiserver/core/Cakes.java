package dev.berth.apiserver.core;

import static dev.berth.kube.object.Resources.DEFINITIONS;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.Resource;

/// A custom kind for tests: cakes, in two versions.
final class Cakes {
  static final Resource V1 = new Resource("bakery.example", "v1", "cakes", "Cake", true);
  static final Resource V1BETA1 = new Resource("bakery.example", "v1beta1", "cakes", "Cake", true);
  static final String NAME = "cakes.bakery.example";

  static final String DEFINITION =
      """
      metadata: {name: cakes.bakery.example}
      spec:
        group: bakery.example
        scope: Namespaced
        names: {plural: cakes, kind: Cake, shortNames: [ck], categories: [sweets]}
        versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            selectableFields: [{jsonPath: .spec.flavour}]
            schema:
              openAPIV3Schema:
                type: object
                required: [spec]
                properties:
                  spec:
                    type: object
                    required: [flavour]
                    properties:
                      flavour: {type: string, enum: [plum, apple], maxLength: 9}
                      pieces: {type: integer, minimum: 1, maximum: 24, default: 12}
                      weight: {x-kubernetes-int-or-string: true}
                      code: {type: string, pattern: '^[a-z]+$', minLength: 2}
                      baked: {type: string, format: date-time}
                      note: {type: string, nullable: true}
                      free: {type: object, x-kubernetes-preserve-unknown-fields: true}
                      labels: {type: object, additionalProperties: {type: string}, maxProperties: 2}
                      tags: {type: array, items: {type: string}, x-kubernetes-list-type: set}
                      layers:
                        type: array
                        maxItems: 3
                        x-kubernetes-list-type: map
                        x-kubernetes-list-map-keys: [name]
                        items:
                          type: object
                          required: [name]
                          properties:
                            name: {type: string}
                            height: {type: integer, default: 1}
                      template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
                      source:
                        type: object
                        x-kubernetes-validations:
                          - rule: has(self.mill) != has(self.__namespace__)
                            message: exactly one of mill and namespace
                          - {rule: '!has(oldSelf.mill) || has(self.mill)', message: mill is required once set}
                        properties:
                          mill: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: mill is immutable}]}
                          namespace: {type: string}
                      size:
                        type: integer
                        x-kubernetes-validations: [{rule: self % 2 == 0, reason: FieldValueForbidden}]
                      top:
                        type: object
                        properties: {cream: {type: string}, sugar: {type: string}}
                        oneOf: [{required: [cream]}, {required: [sugar]}]
                  status:
                    type: object
                    properties: {phase: {type: string}}
            additionalPrinterColumns:
              - {name: Flavour, type: string, jsonPath: .spec.flavour}
              - {name: Pieces, type: integer, jsonPath: .spec.pieces, priority: 1}
              - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
      """;

  private Cakes() {}

  /// The definition of cakes that have but one field, `a`.
  ///
  /// @param schema of the field
  static String plain(String schema) {
    return """
    metadata: {name: cakes.bakery.example}
    spec: {group: bakery.example, scope: Namespaced, names: {plural: cakes, kind: Cake},
      versions: [{name: v1, served: true, storage: true,
        schema: {openAPIV3Schema: {type: object, properties: {a: %s}}}}]}
    """
        .formatted(schema);
  }

  /// A world that knows cakes with one field.
  static World plain(World world, String schema) {
    return world.with(DEFINITIONS, plain(schema));
  }

  /// Such a cake.
  static String sent(String value) {
    return "{apiVersion: bakery.example/v1, kind: Cake, metadata: {name: a, namespace: default}, a:"
        + " "
        + value
        + "}";
  }

  /// A world that knows cakes.
  static World known(World world) {
    return world.with(DEFINITIONS, definition("cakes"));
  }

  /// A definition of another plural.
  static String definition(String plural) {
    var definition = World.yaml(DEFINITION);
    var versions = definition.withArray("/spec/versions");
    var older = ((ObjectNode) versions.get(0)).deepCopy();
    versions.add(older.put("name", "v1beta1").put("storage", false));
    return definition.toString().replace("cakes", plural);
  }

  static String cake(String spec) {
    return "{metadata: {name: a, namespace: default}, spec: {flavour: plum, " + spec + "}}";
  }
}
