/// OpenAPI v3 documents of what is served, from which `kubectl` learns how to merge lists, that the
/// server checks fields, and what `kubectl explain` shows (API-37, API-38). Start at [OpenApi]; the
/// one document of v2 is [Swagger]'s.
///
/// Always: made when first asked for, from the table of `schema` and the catalog of `core`; what
/// fields are for is said by the sources of Fabric8's model (`DescriptionsTest`). Never: upstream's
/// descriptions in this repository.
@NullMarked
package dev.berth.apiserver.openapi;

import org.jspecify.annotations.NullMarked;
